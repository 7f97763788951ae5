/** The roles of members, the most powerful first. control-api: "Organizations, users, apps" */
export const roles = ['owner', 'admin', 'lecturer', 'learner'] as const

export type Role = (typeof roles)[number]

/** The roles that may install apps. control-api: "Installations" */
export const managingRoles: readonly string[] = ['owner', 'admin'] satisfies Role[]
