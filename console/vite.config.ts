/** Builds the console into dist/console: hashed names, nothing inline, since the page's policy allows neither inline scripts nor styles. */
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { licences } from "../scripts/licences.mjs";

const project = fileURLToPath(new URL("..", import.meta.url));

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  // The server may be mounted below a prefix.
  base: "./",
  build: {
    outDir: "../dist/console",
    emptyOutDir: true,
    target: "es2024",
    assetsInlineLimit: 0,
    // The polyfill is an inline script in spirit: browsers that know `import()` know the link, too.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      // "use client" means nothing here.
      onLog: (level, log, write) => log.code !== "MODULE_LEVEL_DIRECTIVE" && write(level, log),
    },
  },
  plugins: [licencesOfParts()],
});

/** What is copied into the bundle names its authors. */
function licencesOfParts(): Plugin {
  return {
    name: "licences-of-parts",
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((part) => (part.type === "chunk" ? part.moduleIds : []));
      const files = modules.map((id) => relative(project, id.replace(/\?.*$/, "")));
      const copied = files.filter((file) => file.startsWith("node_modules/"));
      this.emitFile({ type: "asset", fileName: "LICENSES.txt", source: licences(project, copied) });
    },
  };
}
