/** True for the folder itself and paths in it; `/v0x` is not below `/v0`. */
export const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`)
