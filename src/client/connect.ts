/** The control API as methods. control-api: "Typed client" */
export type Admin = ReturnType<typeof connect>

export interface ConnectOptions {
  /** The setting `admin_token` of that emulator. */
  adminToken?: string | undefined
}

/** A client of the emulator at `url`. */
export function connect(_url: string, _options: ConnectOptions = {}) {
  return {}
}
