# Three stages: the build, the packages for production, and the image of the server that combines both.
# `npm run sbom` lists the packages of the image in dist/sbom.cdx.json. The build has no repository, so it is told the commit
# and where the sources are: --build-arg REVISION=$(git rev-parse HEAD) --build-arg SOURCE=https://HOST/OWNER/REPOSITORY
# Changes of the sources keep the layers with packages; changes of package-lock.json rebuild them.

# The one that package-lock.json pins.
ARG NODE=24.21.0

FROM node:$NODE-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=cache,target=/root/.npm npm ci --include=dev
COPY . .
ARG REVISION
RUN npm run build && npm run sbom

FROM node:$NODE-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The server never loads the optional packages (TypeScript, an adapter for another runtime), a sixth of the size.
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --omit=optional

FROM node:$NODE-slim
ARG VERSION=1.0.0
ARG REVISION
ARG SOURCE
LABEL org.opencontainers.image.title="Tic-Tac-Toe" \
  org.opencontainers.image.description="Tic-Tac-Toe against a bot, with verified results and a public leaderboard" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="$VERSION" \
  org.opencontainers.image.revision="$REVISION" \
  org.opencontainers.image.source="$SOURCE"
ENV NODE_ENV=production
WORKDIR /app
COPY package.json ./
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# The command line: `docker compose exec server ttt --help`.
COPY docker/ttt /usr/local/bin/
# Root owns all files above, so the server cannot change its own code.
USER node
EXPOSE 3000
# Every ten seconds, so it starts no Node: bash opens the connection.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/${PORT:-3000} && printf 'GET /health/ready HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3 && head -n 1 <&3 | grep -q ' 200 '"]
CMD ["node", "--enable-source-maps", "dist/bundle/main.js"]
