package dev.mooring.storage;

import dev.mooring.cluster.ReadResult;
import java.util.function.UnaryOperator;

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

        @Override
        public String update(UnaryOperator<BreakerState> change) {
          return save(change.apply(BreakerState.EMPTY));
        }
      };

  ReadResult<BreakerState> load() throws InterruptedException;

  // Replaces any stored state, even an invalid one. Returns "" if saved, else the error.
  String save(BreakerState state) throws InterruptedException;

  /**
   * Changes the stored state, unless another client changes it at the same time.
   *
   * @param change runs again after a conflict
   * @return "" if saved, else the error
   */
  String update(UnaryOperator<BreakerState> change) throws InterruptedException;
}
