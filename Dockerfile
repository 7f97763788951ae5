# The image of the emulator. What it promises, and how each promise was tried: docs/docker.md
ARG NODE_IMAGE=node:24-alpine

# Builds the package and lays out the image's files. There is no native code in them, so that this stage runs on the
# builder's own architecture, whichever the image is for, and the second stage runs nothing at all.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS package
WORKDIR /source
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
# Packing builds.
RUN npm pack --pack-destination /tmp

# The packed package, as npm would install it: it has no dependencies.
WORKDIR /image/app
RUN tar -xzf /tmp/mockademy-*.tgz --strip-components=1 \
 && find . -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.cts' -o -name '*.d.mts' \) -exec rm {} + \
 && cp -r /source/docker . \
 && mkdir -p /image/usr/local/bin /image/fixtures \
 && ln -s /app/bin/mockademy.js /image/usr/local/bin/mockademy \
 && mkdir -m 1777 /image/data

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="Mockademy" \
      org.opencontainers.image.description="A local emulator of a course-delivery platform, for people who build extension apps on it" \
      org.opencontainers.image.licenses="MIT"
COPY --from=package /image/ /

# Whoever runs the container may write here: the store, and with HTTPS the local certificate authority.
WORKDIR /data
VOLUME /data
# By number, so that Kubernetes can tell that it is not root. Any other works as well.
USER 1000:1000
ENV MOCKADEMY_HOST=0.0.0.0 XDG_DATA_HOME=/data
EXPOSE 4600
HEALTHCHECK --interval=2s --timeout=5s --start-period=30s --retries=3 CMD ["node", "/app/docker/health.js", "/proc/1/cmdline"]
ENTRYPOINT ["node", "/app/docker/entrypoint.js", "/fixtures"]
CMD ["start", "--log"]
