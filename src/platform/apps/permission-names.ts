/** A permission of a manifest, with or without what it is for. */
type Permission = string | { permission: string }

/** The names of the permissions that a manifest asks for. */
export const permissionNames = ({ permissions }: { permissions: Permission[] }): string[] =>
  permissions.map((entry) => (typeof entry === 'string' ? entry : entry.permission))
