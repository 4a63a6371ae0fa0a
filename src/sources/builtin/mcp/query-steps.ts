/** A question that asks for several things at once, taken apart: each step finds its own tools. */

/** `read the logs, then open an issue` has two. One step, or none: the question is asked as it is. */
export function stepsOf(query: string): string[] {
  return query
    .split(betweenSteps)
    .map((step) => step.trim())
    .filter((step) => step !== "")
    .slice(0, maxSteps);
}

const betweenSteps = /[.;:!?,]\s+|\n|\s+(?:and then|after that|then|and|while)\s+/i;
const maxSteps = 16;
