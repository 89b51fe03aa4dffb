import { buildDashboard } from './dashboard.ts';

await buildDashboard();
console.log('The dashboard is built: web/dist.');
