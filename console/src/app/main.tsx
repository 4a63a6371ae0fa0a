/** Starts the console in the page. */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "../style/all.css";
import { App } from "./app.tsx";
import { takePath } from "./location.ts";
import { takeReturn } from "./sign-in.ts";

takeReturn();
takePath();

const place = document.getElementById("app");
if (place !== null)
  createRoot(place).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
