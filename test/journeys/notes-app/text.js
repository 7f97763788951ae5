/** A value from outside that is text with something in it, or undefined. @param {unknown} value @returns {string | undefined} */
export const textOf = (value) => (typeof value === 'string' && value !== '' ? value : undefined)
