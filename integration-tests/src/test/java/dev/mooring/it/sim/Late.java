package dev.mooring.it.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Writes of processes that were killed, or that waited for an answer in vain: they were sent, and
 * the server has yet to read them.
 */
final class Late {
  private final Random random;
  private final boolean some;
  private final boolean ofTheLiving;
  private final Consumer<String> note;
  private final List<Runnable> writes = new ArrayList<>();

  /**
   * None yet.
   *
   * @param mode says whether there are any at all, or every such write is lost; and whether there
   *     are some of processes that go on
   * @param note takes what happens, for people
   */
  Late(Random random, Mode mode, Consumer<String> note) {
    this.random = random;
    this.some = mode.hasLateWrites();
    this.ofTheLiving = mode == Mode.GIVEN_UP;
    this.note = note;
  }

  /** Whether there are any at all. */
  boolean any() {
    return some;
  }

  /** One of a process that is killed at this moment; half of them were not sent yet. */
  void underWay(Runnable write) {
    if (some && random.nextBoolean()) {
      writes.add(write);
    }
  }

  /** One that its process has waited for in vain; half of them are lost. */
  void givenUp(Runnable write) {
    if (ofTheLiving && random.nextBoolean()) {
      writes.add(write);
    }
  }

  /** Now and then one reaches the server. */
  void perhaps() {
    if (!writes.isEmpty() && random.nextInt(100) < 3) {
      arrive(writes.remove(random.nextInt(writes.size())));
    }
  }

  /** The rest reaches the server. */
  void all() {
    writes.forEach(this::arrive);
    writes.clear();
  }

  private void arrive(Runnable write) {
    note.accept("a write arrives late");
    write.run();
  }
}
