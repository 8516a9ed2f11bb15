package okhttp3.logging;

import java.io.IOException;
import okhttp3.Interceptor;
import okhttp3.Response;

/** Stands in for the class of logging-interceptor; it logs nothing. */
public class HttpLoggingInterceptor implements Interceptor {
  public enum Level { NONE, BASIC, HEADERS, BODY }

  public HttpLoggingInterceptor setLevel(Level level) {
    return this;
  }

  @Override
  public Response intercept(Chain chain) throws IOException {
    return chain.proceed(chain.request());
  }
}
