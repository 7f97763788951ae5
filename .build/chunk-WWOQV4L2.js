// src/authentication/bearer.ts
function bearerOf(headers) {
  return /^bearer +([^\s]+)\s*$/i.exec(headers.authorization ?? "")?.[1];
}

export {
  bearerOf
};
