package dev.mooring.it.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Writes that were sent by processes which were then killed, or gave up waiting, and that the
 * server has not read yet.
 */
final class Late {
  private final Random random;
  private final boolean some;
  private final boolean ofTheLiving;
  private final Consumer<String> note;
  private final List<Runnable> writes = new ArrayList<>();

  /**
   * Holds no writes yet.
   *
   * @param mode decides whether such writes exist or are lost, and whether living processes have
   *     some
   * @param note takes a description of each arrival
   */
  Late(Random random, Mode mode, Consumer<String> note) {
    this.random = random;
    this.some = mode.hasLateWrites();
    this.ofTheLiving = mode == Mode.GIVEN_UP;
    this.note = note;
  }

  /** Returns whether such writes exist in this mode. */
  boolean any() {
    return some;
  }

  /** Keeps a write of a process that is killed now; half of these writes were not sent. */
  void underWay(Runnable write) {
    if (some && random.nextBoolean()) {
      writes.add(write);
    }
  }

  /** Keeps a write whose answer its process no longer awaits; half of these writes are lost. */
  void givenUp(Runnable write) {
    if (ofTheLiving && random.nextBoolean()) {
      writes.add(write);
    }
  }

  /** Lets one write arrive now and then. */
  void perhaps() {
    if (!writes.isEmpty() && random.nextInt(100) < 3) {
      arrive(writes.remove(random.nextInt(writes.size())));
    }
  }

  /** Lets all remaining writes arrive. */
  void all() {
    writes.forEach(this::arrive);
    writes.clear();
  }

  private void arrive(Runnable write) {
    note.accept("a write arrives late");
    write.run();
  }
}
