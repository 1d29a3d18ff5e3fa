package dev.mooring.manager.command;

import static dev.mooring.apiserver.codec.JsonBodies.textAt;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.store.StoredObject;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Binds and deletes sample claims of plugins on an embedded server. Not thread-safe. */
final class PluginTrial {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final String NAMESPACE = "default";

  private final ObjectHandlers handlers;
  private final PrintStream out;
  private int number;
  private String claim = "";
  private String volume = "";

  PluginTrial(ObjectHandlers handlers, PrintStream out) {
    this.handlers = handlers;
    this.out = out;
  }

  /** Returns the name of the last sample claim, in the default namespace. */
  String claim() {
    return claim;
  }

  /**
   * Creates a class, once for each plugin, and a new claim; returns whether it is bound in time.
   */
  boolean bind(String plugin) throws InterruptedException {
    String className =
        plugin.substring(plugin.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT).replace('.', '-');
    number++;
    claim = "data-" + number;
    try {
      if (handlers.store(KindCatalogue.CLASSES).get(className) == null) {
        create(
            KindCatalogue.CLASSES,
            "",
            "{\"metadata\": {\"name\": \"%s\"}, \"provisioner\": \"%s\"}"
                .formatted(className, plugin));
        out.println("class " + className + " with provisioner " + plugin + " created");
      }
      create(
          KindCatalogue.CLAIMS,
          NAMESPACE,
          """
          {"metadata": {"name": "%s"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "%s", "resources": {"requests": {"storage": "1Gi"}}}}
          """
              .formatted(claim, className));
    } catch (StatusException e) {
      out.println("FAILED: " + e.getMessage());
      return false;
    }
    out.println("claim " + claim + " requests 1Gi of class " + className);
    long startNanos = System.nanoTime();
    boolean isBound = await(() -> "Bound".equals(phase()));
    volume = find(KindCatalogue.CLAIMS, key()).map(c -> textAt(c, "spec", "volumeName")).orElse("");
    out.println(
        isBound
            ? "claim %s is Bound to %s after %d ms"
                .formatted(claim, volume, (System.nanoTime() - startNanos) / 1_000_000)
            : "FAILED: claim %s is not Bound after %d s; the reason follows"
                .formatted(claim, PATIENCE.toSeconds()));
    return isBound;
  }

  /** Deletes the last sample claim; returns whether its volume is deleted in time. */
  boolean delete() throws InterruptedException {
    try {
      handlers.delete(KindCatalogue.CLAIMS, NAMESPACE, claim, WriteOptions.PLAIN);
    } catch (StatusException e) {
      out.println("FAILED: " + e.getMessage());
      return false;
    }
    boolean isGone =
        await(() ->
            find(KindCatalogue.CLAIMS, key()).isEmpty()
                && find(KindCatalogue.VOLUMES, volume).isEmpty());
    out.println(
        isGone
            ? "claim %s and volume %s are deleted".formatted(claim, volume)
            : "FAILED: volume %s is not deleted after %d s; see its events with --logs"
                .formatted(volume, PATIENCE.toSeconds()));
    return isGone;
  }

  private String key() {
    return NAMESPACE + "/" + claim;
  }

  private String phase() {
    return find(KindCatalogue.CLAIMS, key()).map(c -> textAt(c, "status", "phase")).orElse("");
  }

  private void create(ResourceType type, String namespace, String json) throws StatusException {
    handlers.create(
        type, namespace, JsonParser.parseString(json).getAsJsonObject(), WriteOptions.PLAIN);
  }

  private Optional<JsonObject> find(ResourceType type, String key) {
    StoredObject object = handlers.store(type).get(key);
    return object == null ? Optional.empty() : Optional.of(object.tree());
  }

  private boolean await(BooleanSupplier goal) throws InterruptedException {
    long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
    while (!goal.getAsBoolean()) {
      if (System.nanoTime() > deadlineNanos) {
        return false;
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
    return true;
  }
}
