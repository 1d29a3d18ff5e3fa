package dev.mooring.apiserver.kinds;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is particular to a kind. Implementations have no state; trees passed in as {@code old} must
 * not be changed.
 */
public interface Strategy {
  /**
   * A printed column.
   *
   * @param name its heading
   * @param type string, integer, date
   * @param format name or ""
   * @param description for people
   * @param priority 0 always, 1 with -o wide
   */
  record Column(String name, String type, String format, String description, int priority) {
    /** The only column, beside the name, of kinds that have none of their own. */
    public static final Column CREATED =
        new Column("Created At", "date", "", "When the object was created.", 0);
  }

  /** Fills in what the API defaults. */
  default void setDefaults(JsonObject object) {}

  /** Takes out what a client may not set on creation; sets what the server decides. */
  default void prepareCreate(JsonObject object) {}

  /**
   * Keeps what a client may not change. Runs for the main resource; status comes from {@code old}.
   */
  default void prepareUpdate(JsonObject object, JsonObject old) {}

  /** Settles a status update: {@code object} has the new status and metadata on the old spec. */
  default void prepareStatus(JsonObject object, JsonObject old) {}

  /** The members of the metadata that a write to the status leaves as they are. */
  default List<String> statusKeeps() {
    return List.of();
  }

  /** What is wrong with a new object. */
  default void validate(JsonObject object, FieldErrors errors) {}

  /** What is wrong with a change. */
  default void validateUpdate(JsonObject object, JsonObject old, FieldErrors errors) {
    validate(object, errors);
  }

  /** What is wrong with a change of status. */
  default void validateStatus(JsonObject object, JsonObject old, FieldErrors errors) {}

  /** What is odd about an object that a client sent, though it is taken. */
  default List<String> warnings(JsonObject object) {
    return List.of();
  }

  /** Whether names follow the rules of DNS subdomains; else only path characters are refused. */
  default boolean dnsNames() {
    return true;
  }

  /** Whether finalizers without a domain must be those that Kubernetes knows. */
  default boolean standardFinalizers() {
    return true;
  }

  /** Whether its metadata are looked at only where nothing else is wrong. */
  default boolean metadataLast() {
    return false;
  }

  /**
   * How often Kubernetes looks at the metadata of a changed object, beside the look that it takes
   * at every kind: what is wrong is told as often.
   *
   * @param whole at the metadata as of a new object
   * @param change at what has changed in them
   */
  record Looks(int whole, int change) {
    /** One of each. */
    public static final Looks BOTH = new Looks(1, 1);

    /** Only at what has changed. */
    public static final Looks CHANGE = new Looks(0, 1);

    /** Only as if it were new. */
    public static final Looks WHOLE = new Looks(1, 0);
  }

  /** How often the metadata of a changed object are looked at. */
  default Looks looks() {
    return Looks.BOTH;
  }

  /**
   * The value of a field that the kind can be selected by; null if it cannot be selected by that.
   */
  default @Nullable String selectable(JsonObject object, String field) {
    return null;
  }

  /** The printed columns between name and age. */
  List<Column> columns();

  /** The values of these columns. */
  List<JsonElement> columnValues(JsonObject object);
}
