/**
 * Caches of the cluster: per kind one immutable {@link dev.mooring.informer.CacheSnapshot} with
 * indexes, kept up to date by a {@link dev.mooring.informer.Reflector}.
 *
 * <p>Guarantees of {@link dev.mooring.informer.Informer} and its reflector, each with a test that
 * names it:
 *
 * <ul>
 *   <li><b>I1</b> a snapshot never changes: all reads from it show one point in time;
 *   <li><b>I2</b> a handler receives the changes of one key in order, each exactly once, after the
 *       snapshot contains them; a new handler receives present objects as additions;
 *   <li><b>I3</b> a re-list delivers changes and additions as such and a deletion for each absent
 *       object: no event is lost, and no deleted object stays in the cache;
 *   <li><b>I4</b> the response of an own write is visible at once and stays until the watch has
 *       caught up; an older event never undoes it;
 *   <li><b>I5</b> an own deletion is visible at once; no late event of that object undoes it;
 *   <li><b>I6</b> the reflector recovers from expired versions, versions from the future,
 *       throttling, and broken or silent connections. Pauses grow, with jitter, also if the server
 *       ends every watch at once;
 *   <li><b>I7</b> a bookmark changes the version only;
 *   <li><b>I8</b> only a complete list replaces the contents. Neither an error in a stream nor
 *       decreasing versions make handlers receive anything that the server has not sent;
 *   <li><b>I9</b> on request, waiting callers continue only after the cache contains everything
 *       that the server had at that time;
 *   <li><b>I10</b> a handler that throws an exception does not affect other handlers; each round
 *       delivers its missed changes again until it accepts them.
 * </ul>
 *
 * <p>A snapshot is a persistent hash trie. An update copies a few small arrays and leaves older
 * snapshots unchanged, so readers need no lock. 150,000 pods need little more memory than their
 * records. A deletion and recreation under one name between two events appears as one {@code
 * Updated} with different uids. May depend on {@code model}, {@code thread} and {@code time}.
 */
@NullMarked
package dev.mooring.informer;

import org.jspecify.annotations.NullMarked;
