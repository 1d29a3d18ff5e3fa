package dev.mooring.spi.csi;

/** Status codes of gRPC. */
public enum StatusCode {
  OK(0, "OK"),
  CANCELLED(1, "Canceled"),
  UNKNOWN(2, "Unknown"),
  INVALID_ARGUMENT(3, "InvalidArgument"),
  DEADLINE_EXCEEDED(4, "DeadlineExceeded"),
  NOT_FOUND(5, "NotFound"),
  ALREADY_EXISTS(6, "AlreadyExists"),
  PERMISSION_DENIED(7, "PermissionDenied"),
  RESOURCE_EXHAUSTED(8, "ResourceExhausted"),
  FAILED_PRECONDITION(9, "FailedPrecondition"),
  ABORTED(10, "Aborted"),
  OUT_OF_RANGE(11, "OutOfRange"),
  UNIMPLEMENTED(12, "Unimplemented"),
  INTERNAL(13, "Internal"),
  UNAVAILABLE(14, "Unavailable"),
  DATA_LOSS(15, "DataLoss"),
  UNAUTHENTICATED(16, "Unauthenticated");

  private final int number;
  private final String spelling;

  StatusCode(int number, String spelling) {
    this.number = number;
    this.spelling = spelling;
  }

  /** Returns the number in gRPC's protocol. */
  public int number() {
    return number;
  }

  /** Returns the name that the Go libraries use, and hence events and status fields. */
  public String spelling() {
    return spelling;
  }

  /** Returns the code with this number; {@link #UNKNOWN} if the number is not a known code. */
  public static StatusCode of(int number) {
    return number >= 0 && number < values().length ? values()[number] : UNKNOWN;
  }
}
