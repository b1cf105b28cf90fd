# One image for every API, worker queue and command: `docker run scriptrail dist/main.js --service router`.
# `npm run generate -- images` raises the version and pins it to the byte by its digest.
ARG NODE_IMAGE=docker.io/library/node:24.21.0-bookworm-slim

# No package of ours needs a script of its own to run at its installation.
FROM ${NODE_IMAGE} AS development
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build
# Where the sandbox's volume goes: a new volume takes its rights from here.
RUN install -d -m 1777 /var/lib/sandbox
# The sandbox and the seeds run from here, for trying it out: they are no part of the product.
USER node
CMD ["--import", "tsx", "sandbox/main.ts"]
ENTRYPOINT ["node"]

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && npm cache clean --force

FROM ${NODE_IMAGE} AS product
ENV NODE_ENV=production
WORKDIR /app
COPY --from=dependencies /app ./
COPY --from=development /app/dist dist
# Writes nothing, so that its file system may be read-only; owns nothing of what it runs.
USER node
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "dist/cli/health-check.js"]
ENTRYPOINT ["node"]
CMD ["dist/main.js"]
