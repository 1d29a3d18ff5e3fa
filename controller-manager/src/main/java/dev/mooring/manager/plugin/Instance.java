package dev.mooring.manager.plugin;

import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attacher;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Expander;
import dev.mooring.spi.Failure;
import dev.mooring.spi.NodeFencing;
import dev.mooring.spi.PluginContext;
import dev.mooring.spi.Provisioner;
import dev.mooring.spi.UsageMeter;
import dev.mooring.spi.VolumePlugin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.LongAdder;

/**
 * One life of a plugin, from its construction to its end. None of its code runs on a thread of the
 * host; whatever it throws becomes a {@link Failure.Fault} or the harmless answer. Thread-safe.
 */
final class Instance {
  private static final System.Logger LOG = System.getLogger(Instance.class.getName());

  /** It does not start, and why. */
  static final class Refused extends Exception {
    private static final long serialVersionUID = 1L;

    private Refused(String why) {
      super(why);
    }
  }

  /** What it can do. */
  record Abilities(
      Optional<Provisioner> provisioner,
      Optional<Deleter> deleter,
      Optional<Attacher> attacher,
      Optional<Expander> expander,
      Optional<NodeFencing> fencing,
      Optional<UsageMeter> usage) {
    static final Abilities NONE =
        new Abilities(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    static Abilities of(VolumePlugin plugin) {
      return new Abilities(
          plugin.provisioner(),
          plugin.deleter(),
          plugin.attacher(),
          plugin.expander(),
          plugin.fencing(),
          plugin.usage());
    }

    List<String> names() {
      List<String> can = new ArrayList<>();
      provisioner.ifPresent(x -> can.add("provision"));
      deleter.ifPresent(x -> can.add("delete"));
      attacher.ifPresent(x -> can.add("attach"));
      expander.ifPresent(x -> can.add("expand"));
      fencing.ifPresent(x -> can.add("fence"));
      usage.ifPresent(x -> can.add("measure"));
      return can;
    }
  }

  private final VolumePlugin plugin;
  private final String name;
  private final Bulkhead bulkhead;
  private final LongAdder faults = new LongAdder();

  private Abilities abilities = Abilities.NONE;

  /**
   * One that is not started.
   *
   * @param name what it calls itself
   * @param bulkhead where its calls are made
   */
  Instance(VolumePlugin plugin, String name, Bulkhead bulkhead) {
    this.plugin = plugin;
    this.name = name;
    this.bulkhead = bulkhead;
  }

  String name() {
    return name;
  }

  /** What it can do; nothing before it is started. */
  Abilities abilities() {
    return abilities;
  }

  /** Calls that it has answered by throwing. */
  long faults() {
    return faults.sum();
  }

  /** Calls that do not end. */
  int hanging() {
    return bulkhead.hanging();
  }

  /**
   * Whether its circuit is open: it is asked nothing for a while, because it failed for everything.
   */
  boolean isCircuitOpen() {
    return bulkhead.isCircuitOpen();
  }

  /**
   * Starts it. Called once, before the instance is given to others.
   *
   * @throws Refused if it says no, throws, or does not answer
   */
  void start(PluginContext context) throws Refused {
    try {
      abilities =
          bulkhead.call(
              "its start",
              () -> {
                plugin.start(context);
                return Abilities.of(plugin);
              });
    } catch (Bulkhead.Broken e) {
      throw new Refused(
          switch (e.how()) {
            case Bulkhead.Ended.Threw(Throwable cause) -> RootCause.refusal(cause);
            case Bulkhead.Ended.Unanswered unanswered -> unanswered.why();
          });
    }
  }

  /**
   * Ends it: its calls are waited for as long as one may take, then it is asked to let go of what
   * it has. Called once.
   *
   * @param grace how long its calls are waited for
   */
  void stop(Duration grace) throws InterruptedException {
    if (!bulkhead.drain(grace)) {
      LOG.log(
          System.Logger.Level.WARNING,
          () -> "plugin " + name + " is taken out, but not all of its calls have ended");
    }
    try {
      bulkhead.last(
          "its stop",
          () -> {
            plugin.stop();
            return name;
          });
    } catch (Bulkhead.Broken e) {
      explain("stop", e);
    }
    bulkhead.release();
  }

  /** Its threads may end; for one that was not started. */
  void release() {
    bulkhead.release();
  }

  /** Work, which may block. */
  <T> Attempt<T> asked(String what, String about, Callable<Attempt<T>> call) {
    try {
      return bulkhead.call(about, call);
    } catch (Bulkhead.Broken e) {
      explain(what, e);
      return switch (e.how()) {
        case Bulkhead.Ended.Threw(Throwable cause) ->
            new Attempt.Failed<>(new Failure.Fault("plugin " + name + " failed: " + cause, cause));
        case Bulkhead.Ended.Unanswered unanswered -> Bulkhead.attempt(unanswered);
      };
    }
  }

  /** A question that it has to answer at once; empty if it does not. */
  <T> Optional<T> quickCall(String what, Callable<T> call) {
    try {
      return Optional.of(bulkhead.quickCall(what, call));
    } catch (Bulkhead.Broken e) {
      explain(what, e);
      return Optional.empty();
    }
  }

  private void explain(String what, Bulkhead.Broken e) {
    switch (e.how()) {
      case Bulkhead.Ended.Threw(Throwable cause) -> {
        faults.increment();
        LOG.log(System.Logger.Level.ERROR, () -> "plugin " + name + " failed in " + what, cause);
      }
      // one that was not even made is told to whom it was for, not to everybody
      case Bulkhead.Ended.Unanswered unanswered ->
          LOG.log(
              unanswered.mayHaveHappened()
                  ? System.Logger.Level.WARNING
                  : System.Logger.Level.DEBUG,
              () -> what + ": " + unanswered.why());
    }
  }

  /** Whether volumes of this source are its; empty if it does not say. */
  Optional<Boolean> supports(VolumeSource source) {
    return quickCall("supports", () -> plugin.supports(source));
  }
}
