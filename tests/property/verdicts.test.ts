import { describeVerdicts } from "./verdict-laws.ts";

describeVerdicts(200);
