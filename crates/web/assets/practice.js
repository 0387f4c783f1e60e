// Starts the worker of a practice table.
import start from "{worker.js}";
start({ module_or_path: "{worker.wasm}" });
