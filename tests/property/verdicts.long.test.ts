import { describeVerdicts } from "./verdict-laws.ts";

describeVerdicts(3_000);
