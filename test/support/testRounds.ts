/**
 * The rounds of a test with random input: so many, or as many as
 * `SWITCHBOARD_TEST_ROUNDS` says.
 */
export function testRounds(usual: number): number {
  return Number(process.env.SWITCHBOARD_TEST_ROUNDS ?? usual);
}
