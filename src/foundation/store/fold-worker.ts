import { parentPort, workerData } from 'node:worker_threads'
import { foldFiles } from './fold-files.js'

// A thread of its own, so that folding a large journal holds no request up.
foldFiles(workerData.file, workerData.owner, workerData.bytes).then((size) => parentPort?.postMessage(size))
