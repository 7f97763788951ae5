/** What a member may be in an organization, the most powerful first. spec: §2.1 */
export const roles = ['owner', 'admin', 'lecturer', 'learner'] as const

export type Role = (typeof roles)[number]

/** The roles that may install apps. control-api: "Installations" */
export const managingRoles: readonly string[] = ['owner', 'admin'] satisfies Role[]
