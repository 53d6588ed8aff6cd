# Three stages: the build, the packages for production, and the image that combines both.
# Changes of the sources keep the layers with packages; changes of package-lock.json rebuild them.

FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=cache,target=/root/.npm npm ci --include=dev
COPY . .
RUN npm run build

FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The server never loads the optional packages (TypeScript, an adapter for another runtime), a sixth of the size.
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --omit=optional

FROM node:24-slim
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
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/health/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "dist/server/main.js"]
