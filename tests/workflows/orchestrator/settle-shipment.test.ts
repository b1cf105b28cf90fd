import { describe } from '@jest/globals';
import { settleShipment } from '../../replay/cases/settle-shipment.js';
import { useRuns } from '../runs.js';

const { testCases } = useRuns('settleShipment');

describe('a label whose answers were lost', () => {
  testCases(settleShipment);
});
