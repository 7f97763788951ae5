import type { Manifest } from './manifest-schema.js'

/** The names of the permissions that a manifest asks for, with or without a purpose. */
export const permissionNames = ({ permissions }: Pick<Manifest, 'permissions'>): string[] =>
  permissions.map((entry) => (typeof entry === 'string' ? entry : entry.permission))
