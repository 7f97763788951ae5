/** The audit could not run: emulator or app unreachable, unknown app, bad file. audit: "Exit status" 2 */
export class AuditFailure extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'AuditFailure'
  }
}
