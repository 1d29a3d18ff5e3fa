package dev.mooring.apiserver.handle;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.child;
import static dev.mooring.apiserver.codec.JsonBodies.strings;
import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.admit.Admission;
import dev.mooring.apiserver.apply.Ownership;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.Problem;
import dev.mooring.apiserver.kinds.ResourceType;
import dev.mooring.apiserver.store.Journal;
import dev.mooring.apiserver.store.Store;
import dev.mooring.apiserver.store.Stored;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What can be done with objects, whoever asks: the HTTP side and the simulated nodes use the same
 * handlers. Thread-safe.
 */
public final class Handlers {
  /** Carries an answer out of a write that must not happen. */
  private static final class DryRun extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient Stored answer;

    DryRun(Stored answer) {
      super(null, null, false, false);
      this.answer = answer;
    }
  }

  /** A change of an existing object. */
  @FunctionalInterface
  public interface Edit {
    /** The new tree, of a copy of the current one. */
    JsonObject apply(JsonObject current) throws Problem;
  }

  private final Map<ResourceType, Store> stores = new HashMap<>();
  private final Supplier<UUID> uids;
  private final InstantSource clock;
  private final Admission admission = new Admission(this::store);
  private final Customs customs;

  /** Over these stores; types that share objects share a store. */
  public Handlers(Map<ResourceType, Store> stores) {
    this(stores, UUID::randomUUID, InstantSource.system());
  }

  /**
   * The same, repeatably.
   *
   * @param uids the uids of what is created
   * @param clock when it is created or deleted
   */
  public Handlers(Map<ResourceType, Store> stores, Supplier<UUID> uids, InstantSource clock) {
    this.uids = uids;
    this.clock = clock;
    this.stores.putAll(stores);
    this.customs = new Customs(this, name -> new Store(name, new AtomicLong(1), Journal.NONE));
  }

  /**
   * The same, with stores for custom resources.
   *
   * @param newStore a store for the resource of that name
   */
  public Handlers(Map<ResourceType, Store> stores, Function<String, Store> newStore) {
    this.uids = UUID::randomUUID;
    this.clock = InstantSource.system();
    this.stores.putAll(stores);
    this.customs = new Customs(this, newStore);
  }

  /** The custom resources. */
  public Customs customs() {
    return customs;
  }

  /** The resource of that group, version and name, where it is served. */
  public Optional<ResourceType> find(String group, String version, String plural) {
    Optional<ResourceType> known = KindCatalogue.find(group, version, plural);
    return known.isPresent() ? known : customs.find(group, version, plural);
  }

  /** The type's store. */
  public Store store(ResourceType type) {
    return type.isCustom()
        ? customs.store(type)
        : Objects.requireNonNull(stores.get(type), type.plural());
  }

  /** An object's key in its store. */
  public static String key(ResourceType type, String namespace, String name) {
    return type.namespaced() ? namespace + "/" + name : name;
  }

  /** Reads an object. */
  public Stored get(ResourceType type, String namespace, String name) throws Problem {
    Stored found = store(type).get(key(type, namespace, name));
    if (found == null) {
      throw Problem.notFound(type, name);
    }
    return found;
  }

  /** Creates an object of a tree that was made to conform to the schema; the tree is used up. */
  public Stored create(ResourceType type, String namespace, JsonObject tree, WriteOptions options)
      throws Problem {
    Creation creation = new Creation(type, namespace, options, admission);
    JsonObject object = creation.prepared(tree, uids.get(), clock.instant());
    creation.check(object);
    String name = text(object, "metadata", "name");
    if (type.isCustom()) {
      customs.refuseTerminating(type, name);
    }
    Store store = store(type);
    if (store.get(key(type, namespace, name)) == null) {
      admission.charge(type, object, null, options.dryRun());
    }
    Stored created =
        commit(
            store,
            key(type, namespace, name),
            options,
            current -> {
              if (current != null) {
                throw Problem.alreadyExists(type, name);
              }
              return object;
            });
    if (type == KindCatalogue.DEFINITIONS && !options.dryRun()) {
      customs.changed(created);
    }
    return created;
  }

  private Stored commit(Store store, String key, WriteOptions options, Store.Change<Problem> change)
      throws Problem {
    try {
      return Objects.requireNonNull(
          store.write(
              key,
              current -> {
                JsonObject tree = change.apply(current);
                if (options.dryRun()) {
                  throw new DryRun(
                      new Stored(
                          key,
                          tree == null ? Objects.requireNonNull(current).tree() : tree,
                          current == null ? 0 : current.version()));
                }
                return tree;
              }));
    } catch (DryRun answer) {
      return answer.answer;
    }
  }

  /**
   * Changes an object: the edit works on a copy of it, what may not change is put back, the result
   * is validated.
   */
  public Stored update(
      ResourceType type, String namespace, String name, WriteOptions options, Edit edit)
      throws Problem {
    Store store = store(type);
    Stored[] finalized = new Stored[1];
    Stored result =
        commit(
            store,
            key(type, namespace, name),
            options,
            current -> {
              if (current == null) {
                throw Problem.notFound(type, name);
              }
              JsonObject object =
                  new Settlement(admission, type, name, options)
                      .settle(edit.apply(current.copy()), current);
              if (!options.manager().isEmpty()) {
                Ownership.keepTimes(current.tree(), object);
              }
              if (object.equals(current.tree())) {
                return current.tree();
              }
              if (isFinalized(type, object)) {
                finalized[0] = new Stored(current.key(), object, current.version());
                return options.dryRun() ? object : null;
              }
              return object;
            });
    if (!options.dryRun()) {
      tellUpdated(type, name, finalized[0] == null ? result : null);
    }
    return finalized[0] != null ? finalized[0] : result;
  }

  private void tellUpdated(ResourceType type, String name, @Nullable Stored left) {
    if (left == null && type == KindCatalogue.NAMESPACES) {
      admission.namespaceGone(name);
    }
    if (left == null && type.isCustom()) {
      customs.gone(type);
    }
    if (type == KindCatalogue.DEFINITIONS) {
      if (left != null) {
        customs.changed(left);
      } else {
        customs.deleted(name);
      }
    }
  }

  private static boolean isFinalized(ResourceType type, JsonObject object) {
    JsonObject metadata = child(object, "metadata");
    if (text(metadata, "deletionTimestamp").isEmpty()
        || !strings(metadata, "finalizers").isEmpty()) {
      return false;
    }
    JsonElement grace = at(metadata, "deletionGracePeriodSeconds");
    boolean graceful = grace != null && grace.getAsLong() > 0;
    return !graceful
        && (type != KindCatalogue.NAMESPACES || strings(object, "spec", "finalizers").isEmpty());
  }

  /** Deletes an object, or marks it as being deleted while finalizers or its grace hold it. */
  public Stored delete(ResourceType type, String namespace, String name, WriteOptions options)
      throws Problem {
    admission.delete(type, name);
    boolean[] marked = new boolean[1];
    boolean graceful = Deletions.answersWithDeletionTime(type);
    Stored result =
        commit(
            store(type),
            key(type, namespace, name),
            options,
            current -> {
              if (current == null) {
                throw Problem.notFound(type, name);
              }
              Preconditions.delete(type, name, current, options);
              JsonObject object = current.copy();
              if (!Deletions.mark(type, object, options, clock.instant())) {
                marked[0] = true;
                return object.equals(current.tree()) ? current.tree() : object;
              }
              if (graceful && !options.dryRun()) {
                Deletions.stamp(object, clock.instant());
                return object; // watchers see it go before it is gone
              }
              return null;
            });
    if (graceful && !marked[0] && !options.dryRun()) {
      Stored gone = store(type).<RuntimeException>write(result.key(), current -> null);
      return gone == null ? result : gone;
    }
    if (!options.dryRun() && type == KindCatalogue.DEFINITIONS) {
      customs.deleted(name);
    } else if (!options.dryRun() && type.isCustom() && !marked[0]) {
      customs.gone(type);
    }
    return !marked[0] && graceful ? stamped(result) : result;
  }

  private Stored stamped(Stored gone) {
    JsonObject copy = gone.copy();
    Deletions.stamp(copy, clock.instant());
    return new Stored(gone.key(), copy, gone.version());
  }

  /**
   * Refuses what would be done in a namespace that is not there or on its way out.
   *
   * @throws Problem if it is one of these
   */
  public void requireLiving(ResourceType type, String namespace, String name) throws Problem {
    admission.livingNamespace(type, namespace, name);
  }

  /**
   * Evicts a pod: its status says so, then it is deleted as that says.
   *
   * @throws Problem if it is not there, or not as the deletion wants it
   */
  public void evict(String namespace, String name, WriteOptions deletion) throws Problem {
    ResourceType pods = KindCatalogue.PODS;
    Stored asked = get(pods, namespace, name);
    Preconditions.delete(pods, name, asked, deletion);
    new DisruptionBudgets(this).charge(asked.tree(), deletion.dryRun());
    if (!deletion.dryRun()) {
      update(
          pods,
          namespace,
          name,
          WriteOptions.STATUS,
          pod -> {
            StatusConditions.set(
                pod, "DisruptionTarget", "True", "EvictionByEvictionAPI", "Eviction API: evicting");
            return pod;
          });
    }
    // the version was asked for before the condition was written
    delete(pods, namespace, name, deletion.onlyIf(deletion.uid(), null));
  }

  /** Binds a pod to a node. */
  public void bind(String namespace, String name, JsonObject binding, WriteOptions options)
      throws Problem {
    String node = PodBinding.target(binding);
    commit(
        store(KindCatalogue.PODS),
        key(KindCatalogue.PODS, namespace, name),
        options,
        current -> {
          if (current == null) {
            throw Problem.notFound(KindCatalogue.PODS, name);
          }
          PodBinding.check(current, name, binding);
          return PodBinding.bound(current.copy(), name, node, binding);
        });
  }
}
