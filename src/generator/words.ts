import { base, en } from '@faker-js/faker'

/** The words that invented names are made of. The build keeps those of people and companies: the others would be most of it. */
export const words = [en, base]
