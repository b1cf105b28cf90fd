import { randomUUID } from 'node:crypto';
import { createSql } from '../db/client.js';
import { approve } from '../tests/api/orchestrator/approvals.js';
import { addPast } from '../tests/faults/long/past.js';
import { eventually } from '../tests/helpers/client.js';
import { startTestSystem } from '../tests/helpers/system.js';
import type { Figure } from './report.js';
