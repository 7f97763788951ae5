import {
  elementName,
  elementTypes,
  integer,
  metadataShape,
  shownMetadata,
  text,
  wireType,
  wireTypeSchema
} from "./chunk-ST73ZHQR.js";
import {
  elementTypeNames
} from "./chunk-JD7TKZ54.js";

// src/elements/element-schemas.ts
import * as z2 from "zod";

// src/http/resource-schemas.ts
import * as z from "zod";
var pageQuery = z.object({ page: z.string().optional().describe("The `next` of the page before") });
var listOf = (item) => z.strictObject({
  data: z.array(item),
  next: z.string().nullable().describe("The `page` of the next page; null on the last one")
});
var resource = (object3, fields) => z.strictObject({ id: z.string(), object: z.literal(object3), ...fields, created_at: z.iso.datetime() });

// src/elements/element-schemas.ts
var once = (make) => {
  let made;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};
var pascal = (type) => type.split("_").map((word) => word.charAt(0) + word.slice(1).toLowerCase()).join("");
var byType = (make) => Object.fromEntries(elementTypeNames.map((type) => [type, make(type)]));
function anyType(schemas) {
  const [first, ...rest] = Object.values(schemas);
  return z2.discriminatedUnion("type", [first, ...rest]);
}
var literals = once(() => byType((type) => z2.literal(type)));
var mapProperties = (type, map) => z2.strictObject(
  Object.fromEntries(Object.entries(elementTypes[type].properties).map(([name, property]) => [name, map(property)]))
);
var shownProperties = (type) => mapProperties(type, ({ sent, shown = sent, unset }) => unset === null ? shown.nullable() : shown);
var sentProperties = once(
  () => byType(
    (type) => mapProperties(type, ({ sent }) => sent.nullable().optional()).meta({ id: `${pascal(type)}Properties` })
  )
);
var elementSchema = z2.lazy(
  () => anyType(
    byType(
      (type) => resource("element", {
        name: text,
        content: text,
        type: literals()[type],
        position: z2.int().min(0),
        module: text,
        course: text,
        cover: text.nullable(),
        metadata: shownMetadata,
        properties: shownProperties(type),
        updated_at: z2.iso.datetime()
      }).meta({ id: `${pascal(type)}Element` })
    )
  ).meta({ id: "Element" })
);
var optional = {
  content: text.nullable().optional(),
  position: integer({ min: 0 }).optional(),
  metadata: metadataShape.optional()
};
var createBody = z2.lazy(
  () => anyType(
    byType(
      (type) => z2.object({
        module: text,
        name: elementName,
        type: literals()[type],
        ...optional,
        properties: sentProperties()[type].optional()
      }).meta({ id: `New${pascal(type)}Element` })
    )
  ).meta({ id: "NewElement" })
);
var updateBody = z2.lazy(
  () => z2.object({
    name: elementName.optional(),
    ...optional,
    properties: z2.union(Object.values(sentProperties())).optional()
  }).meta({ id: "ElementUpdate" })
);
var deletedElement = z2.strictObject({ id: text, object: z2.literal("element"), deleted: z2.literal(true) }).meta({ id: "DeletedElement" });
var nameTypes = (world) => ({ zodSchema, jsonSchema }) => {
  if (zodSchema === wireTypeSchema) jsonSchema.enum = elementTypeNames.map((type2) => wireType(world, type2));
  const type = elementTypeNames.find((type2) => zodSchema === literals()[type2]);
  if (type) jsonSchema.const = wireType(world, type);
};

export {
  pageQuery,
  listOf,
  resource,
  elementSchema,
  createBody,
  updateBody,
  deletedElement,
  nameTypes
};
