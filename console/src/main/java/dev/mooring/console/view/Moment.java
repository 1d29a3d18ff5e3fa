package dev.mooring.console.view;

import dev.mooring.explain.Explanation;
import dev.mooring.explain.Sight;
import dev.mooring.explain.Unseen;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import java.util.List;

/** A cluster at one moment, and what its controllers' code says of it. For one thread. */
public interface Moment {
  Sight sight();

  /**
   * What can be said of one object, with everything that it rests on, the most urgent first.
   *
   * @return nothing if the object is not there
   * @throws InterruptedException if the thread is interrupted while the server is asked
   */
  List<Explanation> explain(Kind<?> kind, ObjectKey key) throws InterruptedException;

  /**
   * Why one object waits, in short; the rules are those of {@code mooring explain -A}.
   *
   * @return nothing if it does not
   * @throws InterruptedException if the thread is interrupted while the server is asked
   */
  List<Explanation> waiting(Kind<?> kind, ObjectKey key) throws InterruptedException;

  /** What may not be read, and what that leaves open. */
  List<Unseen> unseen();
}
