package dev.mooring.manager.lifecycle;

/** Background work of a process that waits until it leads. */
public interface StandbyWork {
  StandbyWork NONE =
      new StandbyWork() {
        @Override
        public void start() {}

        @Override
        public void stop() {}
      };

  void start();

  /** Requests the end of the work and returns at once; called when this process leads or stops. */
  void stop();
}
