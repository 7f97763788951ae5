import { en } from '@faker-js/faker'

const { first_name, last_name } = en.person ?? {}

/** Faker's English names. The build keeps these of all its words, which are the larger part of it. */
export const words = { firstNames: first_name?.generic ?? [], lastNames: last_name?.generic ?? [] }
