package dev.mooring.storage;

import dev.mooring.cluster.ReadResult;

/**
 * Stores the state of a {@link DeletionBreaker} across processes. Only the leader uses it.
 * Thread-safe; blocks.
 */
public interface BreakerStore {
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

  ReadResult<BreakerState> load() throws InterruptedException;

  /**
   * Replaces the stored state.
   *
   * @return "" if saved, else the error
   */
  String save(BreakerState state) throws InterruptedException;
}
