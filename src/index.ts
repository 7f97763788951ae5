export { type Admin, type ConnectOptions, connect } from './client/connect.js'
export { type Emulator, type StartOptions, startEmulator } from './emulator.js'
export type { FixtureDocument } from './store/document.js'
