// src/http/openapi.ts
import * as z from "zod";
function openApi(routes, description) {
  const components = {};
  const made = { input: /* @__PURE__ */ new Map(), output: /* @__PURE__ */ new Map() };
  const toSchema = (schema, io) => {
    const known = made[io].get(schema) ?? schemaOf(schema, io, components, description.override);
    made[io].set(schema, known);
    return known;
  };
  for (const [name, schema] of Object.entries(description.schemas)) components[name] = toSchema(schema, "output");
  const paths = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    paths[path] ??= {};
    for (const [index, method] of route.methods.entries()) {
      const id = index === 0 ? route.operation.id : `${route.operation.id}With${method.charAt(0)}${method.slice(1).toLowerCase()}`;
      paths[path][method.toLowerCase()] = { operationId: id, ...operationOf(route, description, toSchema) };
    }
  }
  for (const schema of Object.values(components)) discriminate(schema, components);
  const { title, version, server, tags, securitySchemes, responses } = description;
  return {
    openapi: "3.1.0",
    info: { title, version, description: description.description, license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: server }],
    tags: Object.entries(tags).map(([name, description2]) => ({ name, description: description2 })),
    paths,
    components: { schemas: components, responses, securitySchemes }
  };
}
function operationOf(route, description, toSchema) {
  const { operation, path } = route;
  const { summary, source, query, body, answer, status = 200 } = operation;
  const examples = description.examples?.[operation.id];
  const content = (schema, named) => ({
    "application/json": { schema, ...named && { examples: valuesOf(named) } }
  });
  const parameters = [
    ...[...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
      name,
      in: "path",
      required: true,
      schema: { type: "string" }
    })),
    ...query ? queryParameters(toSchema(query, "input")) : []
  ];
  return {
    summary,
    tags: [description.tagOf(path)],
    "x-source": source,
    security: description.securityOf(operation),
    ...parameters.length > 0 && { parameters },
    ...body && {
      requestBody: { required: !body.safeParse({}).success, content: content(toSchema(body, "input"), examples?.body) }
    },
    responses: {
      [status]: {
        description: "Success",
        content: content(
          answer ? description.success(toSchema(answer, "output")) : { type: "object" },
          examples?.answer
        )
      },
      ...mapValues(description.refusalsOf(route), (name) => ({ $ref: `#/components/responses/${name}` }))
    }
  };
}
var mapValues = (object2, map) => Object.fromEntries(Object.entries(object2).map(([key, value]) => [key, map(value)]));
var valuesOf = (named) => mapValues(named, (value) => ({ value }));
function queryParameters({ properties = {}, required = [] }) {
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    required: required.includes(name),
    ...description !== void 0 && { description },
    schema
  }));
}
function schemaOf(schema, io, components, override) {
  const made = z.toJSONSchema(z.object({ schema }), {
    io,
    unrepresentable: "any",
    override: (context) => override?.(context)
  });
  const plain = JSON.parse(JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/'));
  for (const [name, definition] of Object.entries(plain.$defs ?? {})) {
    const { id: _, ...rest } = definition;
    components[name] = rest;
  }
  return plain.properties.schema;
}
function discriminate(schema, components) {
  const options = schema.oneOf?.map(({ $ref }) => $ref);
  if (!options?.every((option) => option !== void 0)) return;
  const mapping = options.map((option) => {
    const component = components[option.split("/").at(-1)];
    return [component.properties?.type?.const, option];
  });
  if (mapping.every(([type]) => type !== void 0)) {
    schema.discriminator = { propertyName: "type", mapping: Object.fromEntries(mapping) };
  }
}

export {
  openApi
};
