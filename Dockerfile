FROM node:20-alpine AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json ./
COPY src src
COPY scripts scripts
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM node:20-alpine
WORKDIR /app
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json LICENSE ./
COPY bin bin
COPY fixtures fixtures

# The world is kept here; mount a volume to keep it longer than the container.
RUN mkdir /data && chown node:node /data
WORKDIR /data
USER node
ENV MOCKADEMY_HOST=0.0.0.0
EXPOSE 4600
HEALTHCHECK --interval=5s --timeout=5s --start-period=10s CMD ["node", "/app/bin/mockademy.js", "wait", "--timeout", "3s"]
ENTRYPOINT ["node", "/app/bin/mockademy.js"]
CMD ["start"]
