/**
 * Queue of keys between event handlers and reconcilers. It contains keys only: a reconciler reads
 * the newest state when it takes a key, so any number of earlier changes cause one run.
 *
 * <p>Guarantees of {@link dev.mooring.workqueue.WorkQueue}, each with a test that names it:
 *
 * <ul>
 *   <li><b>G1</b> a key that is added several times before it is taken is taken once;
 *   <li><b>G2</b> two workers never process one key concurrently;
 *   <li><b>G3</b> a key that is added while it is processed is processed again afterwards;
 *   <li><b>G4</b> keys are taken in the order of their first addition, except expedited ones; in a
 *       queue with owners this applies to the keys of one owner;
 *   <li><b>G5</b> a delayed key is never lost and never early, however many there are; of two
 *       delays of one key the shorter applies;
 *   <li><b>G6</b> back-off grows with every failure up to its cap and never overflows; forgetting a
 *       key resets it;
 *   <li><b>G7</b> after a shutdown, workers still receive queued keys, and additions are rejected;
 *       draining waits for keys in processing;
 *   <li><b>G8</b> in a queue with owners ({@link dev.mooring.workqueue.WorkQueue#fair}) every owner
 *       with a queued key is served once before any is served twice. The number of keys that an
 *       owner adds or retries does not matter;
 *   <li><b>G9</b> if the number of computing keys is limited, no further key is taken until one of
 *       them waits (for example for the API server) or is done. A taken key starts at once, and no
 *       owner spends its turn on waiting;
 *   <li><b>G10</b> a reminder ({@link dev.mooring.workqueue.WorkQueue#addIfNotBackingOff}) never
 *       ends the back-off of a failed key; otherwise it is an addition;
 *   <li><b>G11</b> an expedited key ({@link dev.mooring.workqueue.WorkQueue#addExpedited}) is taken
 *       before its owner's other keys, in the order of expedition; after eight expedited keys one
 *       other key is taken;
 *   <li><b>G12</b> with owners and at least four workers, an owner with keys in processing never
 *       uses the last quarter of the workers. Keys that hang, for example because a namespace's
 *       webhook does not answer, leave workers to other owners;
 *   <li><b>G13</b> in a queue with a gate ({@link dev.mooring.workqueue.LaneGate}), a key is taken
 *       only while its lane has room, and lanes with room are served in their order.
 * </ul>
 *
 * <p>Implementation: one lock, two deques per owner and one map, which contains a key exactly while
 * it is queued or processed. An expedited key gets a new entry, and its old entry is skipped:
 * removal from a linked list would cost a garbage collector's write barrier per reference. The
 * counters for {@link dev.mooring.workqueue.QueueStats} are plain fields under that lock, so
 * metrics cost only two clock readings per key. May depend on {@code time}.
 */
@NullMarked
package dev.mooring.workqueue;

import org.jspecify.annotations.NullMarked;
