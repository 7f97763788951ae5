// src/organizations/roles.ts
var roles = ["owner", "admin", "lecturer", "learner"];
var managingRoles = ["owner", "admin"];

export {
  roles,
  managingRoles
};
