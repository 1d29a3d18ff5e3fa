package dev.mooring.manager.command;

import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.handle.Handlers;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.Problem;
import dev.mooring.apiserver.kinds.ResourceType;
import dev.mooring.apiserver.store.Stored;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Plays a few users and tells what they see, as it happens. */
final class DemoStory {
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  /** A step did not come out as it should. */
  private static final class Disappointed extends Exception {
    private static final long serialVersionUID = 1L;

    Disappointed(String message) {
      super(message);
    }
  }

  private final ApiServer server;
  private final Handlers handlers;
  private final PrintStream out;
  private final long began = System.nanoTime();

  DemoStory(ApiServer server, PrintStream out) {
    this.server = server;
    this.handlers = server.handlers();
    this.out = out;
  }

  /** Whether everything reached its goal. */
  boolean tell() throws InterruptedException {
    say(
        "An API server is at "
            + server.url()
            + ", with two simulated nodes; Mooring's controllers run against it "
            + "(ready "
            + ManagementFactory.getRuntimeMXBean().getUptime()
            + " ms after the process began).");
    try {
      String volume = dynamic();
      chosen();
      impossible();
      moved();
      reclaimed(volume);
      out.println();
      say("All of them reached their goal.");
      return true;
    } catch (Disappointed e) {
      say("FAILED: " + e.getMessage());
      return false;
    } catch (Problem refused) {
      say("FAILED: the server refused: " + refused.getMessage());
      return false;
    }
  }

  private void say(String line) {
    out.printf("%6.3f s  %s%n", (System.nanoTime() - began) / 1e9, line);
    out.flush();
  }

  private void title(String line) {
    out.println();
    out.println("== " + line);
  }

  private void create(ResourceType type, String json) throws Problem {
    handlers.create(
        type, "default", JsonParser.parseString(json).getAsJsonObject(), WriteOptions.PLAIN);
  }

  private void claim(String name, String size, String className) throws Problem {
    create(
        KindCatalogue.CLAIMS,
        """
        {"metadata": {"name": "%s"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "%s", "resources": {"requests": {"storage": "%s"}}}}
        """
            .formatted(name, className, size));
  }

  private Optional<JsonObject> find(ResourceType type, String key) {
    Stored found = handlers.store(type).get(key);
    return found == null ? Optional.empty() : Optional.of(found.tree());
  }

  private JsonObject await(String what, ResourceType type, String key, Predicate<JsonObject> goal)
      throws Disappointed, InterruptedException {
    return awaitSome(what, () -> find(type, key).filter(goal));
  }

  private <T> T awaitSome(String what, Supplier<Optional<T>> look)
      throws Disappointed, InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    long version = handlers.store(KindCatalogue.VOLUMES).version();
    while (true) {
      Optional<T> found = look.get();
      if (found.isPresent()) {
        return found.get();
      }
      if (end - System.nanoTime() <= 0) {
        throw new Disappointed("after " + PATIENCE.toSeconds() + " s still not true: " + what);
      }
      handlers.store(KindCatalogue.VOLUMES).awaitVersion(version + 1, 20, TimeUnit.MILLISECONDS);
      version = handlers.store(KindCatalogue.VOLUMES).version();
    }
  }

  private static boolean phase(JsonObject object, String phase) {
    return text(object, "status", "phase").equals(phase);
  }

  private JsonObject provisionedFor(String claim) throws Disappointed, InterruptedException {
    return awaitSome(
        "a volume is provisioned for claim " + claim,
        () ->
            handlers.store(KindCatalogue.VOLUMES).list("").objects().stream()
                .map(Stored::tree)
                .filter(v -> text(v, "spec", "claimRef", "name").equals(claim))
                .findFirst());
  }

  private String dynamic() throws Problem, Disappointed, InterruptedException {
    title("A claim of a class: a volume is provisioned for it, and its pod runs");
    create(
        KindCatalogue.CLASSES,
        """
        {"metadata": {"name": "directories"}, "provisioner": "kubernetes.io/host-path"}
        """);
    claim("data", "1Gi", "directories");
    say(
        "claim data asks for 1Gi of class \"directories\": "
            + find(KindCatalogue.CLAIMS, "default/data")
                .map(c -> text(c, "status", "phase"))
                .orElse("?"));
    create(
        KindCatalogue.PODS,
        """
        {"metadata": {"name": "web"}, "spec": {"containers": [{"name": "web", "image": "web:1"}],
         "volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}]}}
        """);
    say("pod web uses the claim and waits for it");
    JsonObject volume = provisionedFor("data");
    String name = text(volume, "metadata", "name");
    say(
        "volume "
            + name
            + " ("
            + text(volume, "spec", "capacity", "storage")
            + ") is provisioned at "
            + text(volume, "spec", "hostPath", "path"));
    await("claim data is Bound", KindCatalogue.CLAIMS, "default/data", c -> phase(c, "Bound"));
    say("claim data is Bound to it");
    JsonObject pod =
        await("pod web runs", KindCatalogue.PODS, "default/web", p -> phase(p, "Running"));
    say("pod web runs on " + text(pod, "spec", "nodeName"));
    return name;
  }

  private void chosen() throws Problem, Disappointed, InterruptedException {
    title("A claim among volumes that exist: the smallest that suffices is taken");
    for (String size : List.of("50Gi", "5Gi", "2Gi")) {
      create(
          KindCatalogue.VOLUMES,
          """
          {"metadata": {"name": "disk-%1$s"}, "spec": {"capacity": {"storage": "%2$s"}, "accessModes": ["ReadWriteOnce"], "storageClassName": "disks",
           "persistentVolumeReclaimPolicy": "Retain", "nfs": {"server": "nas.example.com", "path": "/export/%1$s"}}}
          """
              .formatted(size.toLowerCase(), size));
    }
    for (String name : List.of("disk-50gi", "disk-5gi", "disk-2gi")) {
      await(
          "volume " + name + " is Available",
          KindCatalogue.VOLUMES,
          name,
          v -> phase(v, "Available"));
    }
    say("an administrator offers volumes of 50Gi, 5Gi and 2Gi; they are Available");
    claim("static", "4Gi", "disks");
    say("claim static asks for 4Gi");
    JsonObject claim =
        await(
            "claim static is Bound",
            KindCatalogue.CLAIMS,
            "default/static",
            c -> phase(c, "Bound"));
    String got = text(claim, "spec", "volumeName");
    say("claim static is Bound to " + got);
    if (!got.equals("disk-5gi")) {
      throw new Disappointed("claim static should have been given disk-5gi");
    }
  }

  private void impossible() throws Problem, Disappointed, InterruptedException {
    title("A claim that cannot be bound: it says why");
    claim("huge", "500Gi", "");
    say("claim huge asks for 500Gi, of no class");
    String note = eventAbout("huge", "");
    say("claim huge is Pending. " + note);
    if (!find(KindCatalogue.CLAIMS, "default/huge").map(c -> phase(c, "Pending")).orElse(false)) {
      throw new Disappointed("claim huge should be Pending");
    }
  }

  private String eventAbout(String name, String reason) throws Disappointed, InterruptedException {
    return awaitSome(
        "an event tells why " + name + " waits",
        () -> {
          List<JsonObject> events = new ArrayList<>();
          handlers
              .store(KindCatalogue.EVENTS)
              .list("default/")
              .objects()
              .forEach(e -> events.add(e.tree()));
          return events.stream()
              .filter(e -> text(e, "involvedObject", "name").equals(name))
              .filter(e -> text(e, "reason").startsWith(reason))
              .map(e -> text(e, "reason") + ": " + text(e, "message"))
              .findFirst();
        });
  }

  private void pod(String name, String claim, String node) throws Problem {
    create(
        KindCatalogue.PODS,
        """
        {"metadata": {"name": "%1$s"}, "spec": {"nodeName": "%3$s", "containers": [{"name": "%1$s", "image": "%1$s:1"}],
         "volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": "%2$s"}}]}}
        """
            .formatted(name, claim, node));
  }

  private void moved() throws Problem, Disappointed, InterruptedException {
    title("A pod moves to another node, and its volume with it");
    create(
        KindCatalogue.VOLUMES,
        """
        {"metadata": {"name": "block-1"}, "spec": {"capacity": {"storage": "10Gi"}, "accessModes": ["ReadWriteOnce"], "storageClassName": "blocks",
         "persistentVolumeReclaimPolicy": "Retain", "csi": {"driver": "simulated.mooring.dev", "volumeHandle": "b-1"}}}
        """);
    claim("ledger", "10Gi", "blocks");
    await("claim ledger is Bound", KindCatalogue.CLAIMS, "default/ledger", c -> phase(c, "Bound"));
    pod("db-0", "ledger", "node-1");
    await("pod db-0 runs", KindCatalogue.PODS, "default/db-0", p -> phase(p, "Running"));
    say("volume block-1 is attached to node-1, and pod db-0 runs there");
    pod("db-1", "ledger", "node-2");
    say("pod db-1 wants the same volume on node-2. " + eventAbout("db-1", "FailedAttachVolume"));
    handlers.delete(KindCatalogue.PODS, "default", "db-0", WriteOptions.PLAIN);
    say("pod db-0 is deleted");
    await("pod db-1 runs", KindCatalogue.PODS, "default/db-1", p -> phase(p, "Running"));
    List<String> nodes =
        handlers.store(KindCatalogue.ATTACHMENTS).list("").objects().stream()
            .map(a -> text(a.tree(), "spec", "nodeName"))
            .toList();
    say("the volume was detached from node-1 and attached to node-2, where pod db-1 runs");
    if (!nodes.equals(List.of("node-2"))) {
      throw new Disappointed("volume block-1 should be attached to node-2 only, is to " + nodes);
    }
  }

  private void reclaimed(String volume) throws Problem, Disappointed, InterruptedException {
    title("The claim is deleted: while the pod runs it is protected, then its volume goes");
    handlers.delete(KindCatalogue.CLAIMS, "default", "data", WriteOptions.PLAIN);
    say(
        "claim data is deleted; it stays while pod web uses it: "
            + (find(KindCatalogue.CLAIMS, "default/data").isPresent() ? "still there" : "gone?!"));
    handlers.delete(KindCatalogue.PODS, "default", "web", WriteOptions.PLAIN);
    say("pod web is deleted");
    awaitSome(
        "claim data is gone",
        () ->
            find(KindCatalogue.CLAIMS, "default/data").isEmpty()
                ? Optional.of(true)
                : Optional.empty());
    say("claim data is gone");
    awaitSome(
        "volume " + volume + " is gone",
        () -> find(KindCatalogue.VOLUMES, volume).isEmpty() ? Optional.of(true) : Optional.empty());
    say(
        "volume "
            + volume
            + " was Released, deleted with what was on it, and is gone (policy Delete)");
  }
}
