# The images of docker-compose.yml, one for each target, with all their configuration: `docker compose build` builds them.
# `npm run sbom` lists the packages of the server in dist/sbom.cdx.json. The build has no repository, so it is told the commit
# and where the sources are: --build-arg REVISION=$(git rev-parse HEAD) --build-arg SOURCE=https://HOST/OWNER/REPOSITORY
# Changes of the sources keep the layer with packages; changes of package-lock.json rebuild it.
# --chmod, because the files of a checkout may be closed to the users of the images (umask 077).

# The version that package-lock.json pins.
ARG NODE=24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6

# What it makes runs on every processor.
FROM --platform=$BUILDPLATFORM node:$NODE AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=cache,target=/root/.npm npm ci --include=dev
COPY . .
ARG REVISION
# `files` of package.json is what runs, and `bundleDependencies` are the packages outside the bundle.
RUN npm run build && npm run sbom && mkdir image && tar -xf "$(npm pack --silent)" --strip-components=1 -C image && chmod -R a+rX image

FROM node:$NODE AS server
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
COPY --from=build /app/image ./
# The command line: `docker compose exec server ttt --help`.
COPY --chmod=755 docker/ttt /usr/local/bin/
# Root owns all files above, so the server cannot change its own code.
USER node
EXPOSE 3000
# Every ten seconds, so it starts no Node: bash opens the connection.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/${PORT:-3000} && printf 'GET /health/ready HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3 && head -n 1 <&3 | grep -q ' 200 '"]
CMD ["node", "dist/bundle/main.js"]

FROM build AS signin
RUN npm pkg delete devDependencies.oidc-provider && npm pkg set dependencies.oidc-provider=* 'bundleDependencies[]=oidc-provider' \
  && mkdir trial && tar -xf "$(npm pack --silent)" --strip-components=1 -C trial && chmod -R a+rX trial

# For docker-compose.trial.yml: the image of production does not have the local sign-in.
FROM server AS trial
COPY --from=signin /app/trial ./
COPY --chmod=644 scripts/trial.js ./scripts/

# The service `backup` runs in it too.
FROM postgres:18.6@sha256:5a5a84b19854a9ffaa54082c166ff4ec27473a361e496e5ea167f298f2da9722 AS database
COPY --chmod=644 docker/server-role.sql /docker-entrypoint-initdb.d/
COPY --chmod=755 docker/backup /usr/local/bin/

# Without any right: its ports are above 1024, so it needs no capability, and a program with one in its file would not start without it.
FROM caddy:2.11.3@sha256:ec18ee54aab3315c22e25f3b2babda73ff8007d39b13b3bd1bfffa2f0444c7d9 AS caddy
RUN setcap -r /usr/bin/caddy && mkdir /var/lib/caddy && chown 65534:65534 /var/lib/caddy
# Certificates and their keys go into the volume at /var/lib/caddy.
ENV XDG_DATA_HOME=/var/lib XDG_CONFIG_HOME=/tmp
COPY --chmod=644 docker/caddy/Caddyfile /etc/caddy/
USER 65534:65534
EXPOSE 8080 8443

FROM prom/prometheus:v3.13.2@sha256:508729e0e2d18e11fd742a5a5ca70e557b940a93948c3c95fd0123a6fd538b69 AS prometheus
COPY --chmod=644 ops/prometheus.yml ops/prometheus-rules.yml /etc/prometheus/

FROM prom/alertmanager:v0.34.0@sha256:690c7b525f4367aa91f73e2f91c632206d32e97c6384bdbf2fb7a861b420340d AS alertmanager
COPY --chmod=644 ops/alertmanager.yml /etc/alertmanager/

FROM grafana/grafana:13.1.2@sha256:d177053ab62253815f130d81504f77063baf5fd4ca93299d6048453bd31e047a AS grafana
COPY --chmod=644 ops/grafana/datasource.yml /etc/grafana/provisioning/datasources/
COPY --chmod=644 ops/grafana/dashboards.yml /etc/grafana/provisioning/dashboards/
COPY --chmod=644 ops/grafana/dashboard.json /etc/grafana/dashboards/
