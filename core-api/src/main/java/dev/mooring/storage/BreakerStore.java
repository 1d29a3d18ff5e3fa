package dev.mooring.storage;

import dev.mooring.cluster.ReadResult;

/**
 * Keeps the state of a {@link DeletionBreaker} across processes. Only the leader uses it. Calls
 * block. Thread-safe.
 */
public interface BreakerStore {
  /** Keeps nothing: for a process that shares its duty with no other and forgets at its end. */
  BreakerStore NONE =
      new BreakerStore() {
        @Override
        public ReadResult<BreakerState> load() {
          return new ReadResult.Found<>(BreakerState.EMPTY);
        }

        @Override
        public String save(BreakerState state) {
          return "";
        }
      };

  /** The state saved last; {@link BreakerState#EMPTY} if none was saved. */
  ReadResult<BreakerState> load() throws InterruptedException;

  /**
   * Replaces the saved state.
   *
   * @return "" if it is saved, else the reason why not
   */
  String save(BreakerState state) throws InterruptedException;
}
