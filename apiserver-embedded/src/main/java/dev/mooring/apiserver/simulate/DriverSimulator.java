package dev.mooring.apiserver.simulate;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.stringsAt;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.store.StoredObject;
import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Simulates the attacher of a CSI driver: every attach and detach succeeds immediately. */
public final class DriverSimulator {
  /** The name of the simulated driver. */
  public static final String NAME = "simulated.mooring.dev";

  private static final System.Logger LOG = System.getLogger(DriverSimulator.class.getName());
  private static final String FINALIZER = "external-attacher/";

  private final ObjectHandlers handlers;
  private final Predicate<String> isServed;
  private final SelectedObjects terminatingVolumes;

  DriverSimulator(ObjectHandlers handlers, Predicate<String> isServed) {
    this.handlers = handlers;
    this.isServed = isServed;
    this.terminatingVolumes =
        new SelectedObjects(handlers.store(KindCatalogue.VOLUMES), SimulatedObjects::isTerminating);
  }

  boolean isAttachRequired(String driver) {
    StoredObject driverObject = handlers.store(KindCatalogue.CSI_DRIVERS).get(driver);
    return driverObject == null
        || !(valueAt(driverObject.tree(), "spec", "attachRequired")
            instanceof JsonPrimitive required)
        || required.getAsBoolean();
  }

  void runPass() {
    Set<String> attachedVolumes = new HashSet<>();
    for (StoredObject stored : handlers.store(KindCatalogue.ATTACHMENTS).list("").objects()) {
      JsonObject attachment = stored.tree();
      attachedVolumes.add(textAt(attachment, "spec", "source", "persistentVolumeName"));
      String attacher = textAt(attachment, "spec", "attacher");
      if (!isServed.test(attacher)) {
        continue;
      }
      String finalizer = nameFinalizer(attacher);
      boolean hasFinalizer = stringsAt(attachment, "metadata", "finalizers").contains(finalizer);
      if (!textAt(attachment, "metadata", "deletionTimestamp").isEmpty()) {
        if (hasFinalizer) {
          update(attachment, WriteOptions.PLAIN, current -> setFinalizer(current, ""));
        }
      } else if (!hasFinalizer) {
        update(attachment, WriteOptions.PLAIN, current -> setFinalizer(current, finalizer));
      } else if (!isAttached(attachment)) {
        update(
            attachment,
            WriteOptions.STATUS,
            current -> {
              getOrAddChild(current, "status").addProperty("attached", true);
              return current;
            });
      }
    }
    releaseVolumes(attachedVolumes);
  }

  // an attacher holds a volume until its last attachment is gone
  private void releaseVolumes(Set<String> attachedVolumes) {
    for (JsonObject volume : terminatingVolumes.list()) {
      String driver = textAt(volume, "spec", "csi", "driver");
      String finalizer = nameFinalizer(driver);
      if (isServed.test(driver)
          && !attachedVolumes.contains(SimulatedObjects.getName(volume))
          && stringsAt(volume, "metadata", "finalizers").contains(finalizer)) {
        SimulatedObjects.tryWrite(() ->
            handlers.update(
                KindCatalogue.VOLUMES,
                "",
                SimulatedObjects.getName(volume),
                WriteOptions.PLAIN,
                current -> removeFinalizer(current, finalizer)));
      }
    }
  }

  private static String nameFinalizer(String driver) {
    return FINALIZER + driver.replaceAll("[^A-Za-z0-9-]", "-");
  }

  private static JsonObject removeFinalizer(JsonObject object, String finalizer) {
    JsonArray rest = new JsonArray();
    stringsAt(object, "metadata", "finalizers").stream()
        .filter(name -> !name.equals(finalizer))
        .forEach(rest::add);
    getOrAddChild(object, "metadata").add("finalizers", rest);
    return object;
  }

  private static boolean isAttached(JsonObject attachment) {
    return valueAt(attachment, "status", "attached") instanceof JsonPrimitive attached
        && attached.getAsBoolean();
  }

  private static JsonObject setFinalizer(JsonObject attachment, String finalizer) {
    JsonArray finalizers = new JsonArray();
    if (!finalizer.isEmpty()) {
      finalizers.add(finalizer);
    }
    getOrAddChild(attachment, "metadata").add("finalizers", finalizers);
    return attachment;
  }

  private void update(
      JsonObject attachment, WriteOptions options, UnaryOperator<JsonObject> change) {
    try {
      handlers.update(
          KindCatalogue.ATTACHMENTS,
          "",
          textAt(attachment, "metadata", "name"),
          options,
          change::apply);
    } catch (StatusException e) {
      // the next pass retries
      LOG.log(Level.DEBUG, () -> "simulated driver: " + e.getMessage());
    }
  }
}
