package dev.mooring.manager.plugin;

import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attacher;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Expander;
import dev.mooring.spi.Failure;
import dev.mooring.spi.NodeFencing;
import dev.mooring.spi.PluginContext;
import dev.mooring.spi.Populator;
import dev.mooring.spi.Provisioner;
import dev.mooring.spi.UsageMeter;
import dev.mooring.spi.VolumeInventory;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.text.LogMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.LongAdder;

/**
 * Running instance of a plugin, from construction to stop. Its code never runs on host threads. Its
 * exceptions become {@link Failure.Fault}s or default answers. Thread-safe.
 */
final class PluginInstance {
  private static final System.Logger LOG = System.getLogger(PluginInstance.class.getName());

  static final class StartFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    private StartFailedException(String message) {
      super(message);
    }
  }

  /**
   * A populator with its kinds, which are read once.
   *
   * @param kinds kinds as the host's own records, so that no plugin class is retained
   */
  record LoadedPopulator(Populator populator, List<Populator.SourceKind> kinds) {
    static LoadedPopulator of(Populator populator) {
      return new LoadedPopulator(populator, List.copyOf(populator.kinds()));
    }
  }

  /** Proof of dead nodes with its scope, which is read once. */
  record LoadedFencing(NodeFencing fencing, NodeFencing.Scope scope) {
    static LoadedFencing of(NodeFencing fencing) {
      return new LoadedFencing(fencing, fencing.scope());
    }
  }

  record Capabilities(
      Optional<Provisioner> provisioner,
      Optional<Deleter> deleter,
      Optional<Attacher> attacher,
      Optional<Expander> expander,
      Optional<LoadedFencing> fencing,
      Optional<UsageMeter> usage,
      Optional<VolumeInventory> inventory,
      Optional<LoadedPopulator> populator) {
    static final Capabilities NONE =
        new Capabilities(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    static Capabilities of(VolumePlugin plugin) {
      return new Capabilities(
          plugin.provisioner(),
          plugin.deleter(),
          plugin.attacher(),
          plugin.expander(),
          plugin.fencing().map(LoadedFencing::of),
          plugin.usage(),
          plugin.inventory(),
          plugin.populator().map(LoadedPopulator::of));
    }

    List<String> names() {
      List<String> names = new ArrayList<>();
      provisioner.ifPresent(x -> names.add("provision"));
      deleter.ifPresent(x -> names.add("delete"));
      attacher.ifPresent(x -> names.add("attach"));
      expander.ifPresent(x -> names.add("expand"));
      fencing.ifPresent(x -> names.add("fence"));
      usage.ifPresent(x -> names.add("measure"));
      inventory.ifPresent(x -> names.add("find"));
      populator.ifPresent(x -> names.add("populate"));
      return names;
    }
  }

  private final VolumePlugin plugin;
  private final String name;
  private final Bulkhead bulkhead;
  private final LongAdder faults = new LongAdder();

  private Capabilities capabilities = Capabilities.NONE;

  PluginInstance(VolumePlugin plugin, String name, Bulkhead bulkhead) {
    this.plugin = plugin;
    this.name = name;
    this.bulkhead = bulkhead;
  }

  String name() {
    return name;
  }

  Capabilities capabilities() {
    return capabilities;
  }

  long faults() {
    return faults.sum();
  }

  int hanging() {
    return bulkhead.hanging();
  }

  boolean isCircuitOpen() {
    return bulkhead.isCircuitOpen();
  }

  void start(PluginContext context) throws StartFailedException {
    try {
      capabilities =
          bulkhead.call(
              "its start",
              () -> {
                plugin.start(context);
                return Capabilities.of(plugin);
              });
    } catch (Bulkhead.FailedCallException e) {
      throw new StartFailedException(
          switch (e.abnormalEnd()) {
            case Bulkhead.AbnormalEnd.Threw(Throwable cause) -> RootCause.refusal(cause);
            case Bulkhead.AbnormalEnd.Unanswered unanswered -> unanswered.reason();
          });
    }
  }

  void stop(Duration grace) throws InterruptedException {
    if (!bulkhead.drain(grace)) {
      LOG.log(
          System.Logger.Level.WARNING,
          () -> "plugin " + name + " is being unloaded although some calls have not ended");
    }
    try {
      bulkhead.finalCall(
          "its stop",
          () -> {
            plugin.stop();
            return name;
          });
    } catch (Bulkhead.FailedCallException e) {
      logFailure("stop", e);
    }
    bulkhead.release();
  }

  void release() {
    bulkhead.release();
  }

  <T> Attempt<T> call(String operation, String subject, Callable<Attempt<T>> call) {
    try {
      return bulkhead.call(subject, call);
    } catch (Bulkhead.FailedCallException e) {
      logFailure(operation, e);
      return switch (e.abnormalEnd()) {
        case Bulkhead.AbnormalEnd.Threw(Throwable cause) ->
            new Attempt.Failed<>(new Failure.Fault("plugin " + name + " failed: " + cause, cause));
        case Bulkhead.AbnormalEnd.Unanswered unanswered -> Bulkhead.toFailedAttempt(unanswered);
      };
    }
  }

  <T> Optional<T> quickCall(String operation, Callable<T> call) {
    try {
      return Optional.of(bulkhead.quickCall(operation, call));
    } catch (Bulkhead.FailedCallException e) {
      logFailure(operation, e);
      return Optional.empty();
    }
  }

  private void logFailure(String operation, Bulkhead.FailedCallException e) {
    switch (e.abnormalEnd()) {
      case Bulkhead.AbnormalEnd.Threw(Throwable cause) -> {
        faults.increment();
        LOG.log(
            System.Logger.Level.ERROR,
            LogMessage.of("plugin failed")
                .with("plugin", name)
                .with("operation", operation)
                .withCause(cause));
      }
      // a call that was not made concerns only its caller
      case Bulkhead.AbnormalEnd.Unanswered unanswered ->
          LOG.log(
              unanswered.mayHaveHappened()
                  ? System.Logger.Level.WARNING
                  : System.Logger.Level.DEBUG,
              LogMessage.of("plugin did not answer")
                  .with("plugin", name)
                  .with("operation", operation)
                  .with(LogMessage.ERR, unanswered.reason()));
    }
  }

  Optional<Boolean> supports(VolumeSource source) {
    return quickCall("supports", () -> plugin.supports(source));
  }
}
