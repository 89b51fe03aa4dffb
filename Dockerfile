# Debian, not Alpine: Temporal's native bridge needs glibc.
FROM node:24-bookworm-slim
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts
COPY . .
USER node
