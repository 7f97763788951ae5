/** The built-in receivers, in memory. control-api: "Webhooks" */
export interface Inboxes {
  clear(): void
}

export const createInboxes = (): Inboxes => ({ clear() {} })
