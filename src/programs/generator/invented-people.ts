import { Draws } from './draws.js'

/** Plain letters alone: they become parts of addresses. */
const firstNames = `
  Ada Adam Agnes Alan Alba Alma Amara Amir Anders Anika Anton Aria Arno Asha Astrid Aurora Azra Basil Bela Berta Bianca
  Boris Bruno Camila Carla Carlos Cecil Celia Chen Clara Clement Cora Cyrus Dalia Dana Daniel Dario David Dilan Dora
  Edda Edgar Elena Elif Elio Elisa Ella Emil Emma Emre Enzo Erik Esther Eva Fabian Farah Felix Fiona Finn Flora Frank
  Freya Frida Gabriel George Gita Gloria Grace Greta Gustav Hana Hannah Harun Hector Helen Henry Hilda Hugo Ida Ilse
  Imani Ines Ingrid Irene Iris Isaac Ivan Ivo Jack Jana Jara Jasmin Joel Jonas Julia Jun Kaito Karim Karl Kaya Keiko
  Kiran Klara Kofi Lara Laura Leila Leon Liam Lina Linus Louis Lucas Lucy Luna Magnus Maja Malik Mara Marco Maria
  Martha Mateo Matilda Maya Mei Mia Mila Milan Milo Mina Mira Mohan Nadia Nael Nina Nils Noah Nora Noor Odin Olga
  Oliver Omar Oscar Otto Pablo Paul Paula Pedro Petra Pia Priya Quinn Rafi Ravi Rosa Ruben Ruth Sami Samuel Sara Selma
  Silas Simon Sofia Stella Sven Talia Tara Tariq Theo Thomas Tilda Tom Uma Ursula Valentin Vera Victor Viola Wanda
  Willa Xenia Yara Yasmin Yuki Yusuf Zara Zoe
`
  .trim()
  .split(/\s+/)

const lastNames = `
  Abbott Abel Adler Ahmed Alder Amsel Andersen Arden Archer Ashby Atwood Baker Barlow Barnes Becker Bell Bennett Berg
  Birch Bishop Blake Bond Bowen Boyd Brandt Brook Brooks Bauer Bruno Burton Butler Calder Carter Carver Castro Chandler
  Chapman Clark Cole Cook Cooper Costa Crane Cross Crooks Cruz Dale Dalton Davies Dean Diaz Doyle Drake Dunn Eaton
  Egan Ellis Elm Engel Evans Falk Farmer Faber Fields Fisher Fletcher Flores Forest Foster Fox Frost Fuchs Garcia
  Gardner Garner Gibson Glover Gomez Graham Grant Gray Green Griffin Grove Gupta Hahn Hale Hansen Harper Hart Haas
  Hazel Heron Hill Holm Hoover Horn Hunter Ito Ivers Jensen Jordan Kane Keeper Keller Khan Kim King Klein Knight Koch
  Kramer Kumar Lake Lane Lang Larsen Lee Linden Lopez Lund Maier Marsh Martin Mason Mayer Meadow Mendez Meyer Miller
  Moor Moreno Morris Nair Nash Nguyen Nolan North Novak Oaks Olsen Ortiz Owen Page Palmer Park Patel Pearce Perez Piper
  Pohl Porter Potter Quill Ramos Reed Reyes Richter Rivers Roth Rowan Ruiz Sanders Sato Sawyer Schmidt Seidel Shaw
  Shepherd Silva Singh Sommer Stein Stone Suzuki Swan Tanaka Tanner Taylor Thorn Torres Turner Vale Vance Vogel Wagner
  Walker Ward Weaver Weber Wells Wheeler Winter Wolf Wong Wood Woolf Wren Wright Yilmaz York Young Zeller Zimmer
`
  .trim()
  .split(/\s+/)

const companyKinds = ['Academy', 'College', 'Group', 'Institute', 'Learning', 'School', 'and Sons', 'University']

export const inventName = (draws: Draws) => ({ first_name: draws.of(firstNames), last_name: draws.of(lastNames) })

/** Two in three have one name, the others two: `Abbott Academy`, `Crooks & Ward`. */
export function inventCompany(draws: Draws): string {
  const name = draws.of(lastNames)
  return draws.happens(1 / 3) ? `${name} & ${draws.of(lastNames)}` : `${name} ${draws.of(companyKinds)}`
}

/** Returns the invented person that replaces a member, the same for each occurrence of an id. real-platform: "People are made up" */
export function inventPerson(id: string) {
  const draws = new Draws(`person ${id}`)
  const { first_name, last_name } = inventName(draws)
  const unique = draws.token(10)
  return {
    first_name,
    last_name,
    full_name: `${first_name} ${last_name}`,
    email: `${first_name}.${last_name}.${unique}@people.example`.toLowerCase(),
    avatar: `https://avatars.example/${unique}.png`,
  }
}
