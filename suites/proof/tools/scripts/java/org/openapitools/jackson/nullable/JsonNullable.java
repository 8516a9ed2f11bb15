package org.openapitools.jackson.nullable;

/** Stands in for the class of jackson-databind-nullable, which a client with Gson names and never makes. */
public class JsonNullable<T> {
  public boolean isPresent() {
    return false;
  }

  public T get() {
    return null;
  }
}
