// Starts the worker that plays with whoever practises.
import start from "{worker.js}";
start({ module_or_path: "{worker.wasm}" });
