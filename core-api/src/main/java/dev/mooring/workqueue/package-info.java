/**
 * The queue between what is seen and what is done about it. Keys only: what to do is decided from
 * the newest state when a key is taken, so any number of changes before that cost one run.
 *
 * <p>Guarantees of {@link dev.mooring.workqueue.WorkQueue}, each with a test of that name:
 *
 * <ul>
 *   <li><b>G1</b> a key added any number of times before it is taken is taken once;
 *   <li><b>G2</b> one key is never processed by two takers at once;
 *   <li><b>G3</b> a key added while it is processed is processed again afterwards;
 *   <li><b>G4</b> keys are taken in the order of their first addition, in a queue with owners those
 *       of one owner, unless they are brought forward;
 *   <li><b>G5</b> a delayed key is never lost and never early, however many there are; of two
 *       delays the earlier counts;
 *   <li><b>G6</b> back-off grows with every failure up to its cap and never wraps round; forgetting
 *       a key ends it;
 *   <li><b>G7</b> shutting down hands out what is queued, refuses what comes later, and draining
 *       waits for what is being processed;
 *   <li><b>G8</b> in a queue with owners ({@link dev.mooring.workqueue.WorkQueue#fair}) every owner
 *       who has a key waiting is served once before any is served twice, however many keys somebody
 *       adds or retries;
 *   <li><b>G9</b> where at most so many keys are computed for at once, no further one is taken
 *       until one of these waits for somebody else, such as the server, or is done: what is taken
 *       is begun, and an owner's turn is not spent in waiting behind others;
 *   <li><b>G10</b> a reminder ({@link dev.mooring.workqueue.WorkQueue#remind}) never brings a key
 *       that has failed back before its back-off is over, and else is an addition;
 *   <li><b>G11</b> a key that is brought forward ({@link
 *       dev.mooring.workqueue.WorkQueue#addForward}) is taken before its owner's others, in the
 *       order in which they were brought forward; of the others one is taken after eight of these;
 *   <li><b>G12</b> in a queue with owners and four or more workers, an owner with keys in
 *       processing takes none of the last quarter of the workers. Keys that hang, for example
 *       because a namespace's webhook does not answer, leave workers to other owners.
 * </ul>
 *
 * <p>One lock, two deques for each owner, one map: a key is in the map exactly while it is queued
 * or processed. What is brought forward gets a new entry, and the old one is passed over in its
 * deque: lists through the entries, from which one is taken out, cost a collector's barrier for
 * each reference. The counters behind {@link dev.mooring.workqueue.QueueStats} are plain fields
 * under that lock, which is why metrics cost two clock readings and nothing else. May depend on
 * {@code time}.
 */
@NullMarked
package dev.mooring.workqueue;

import org.jspecify.annotations.NullMarked;
