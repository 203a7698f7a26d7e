//! Ordinary linear least squares, with standard errors of the coefficients.
//!
//! The coefficients are (XᵀX)⁻¹·Xᵀy and their covariance is σ²·(XᵀX)⁻¹, with σ² estimated from the residuals. Source:
//! any textbook on regression, for example C. R. Rao, "Linear Statistical Inference and Its Applications", 1965.

use crate::normal::student_95;

/// A coefficient of a linear model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coefficient {
    /// Estimate.
    pub value: f64,
    /// Standard error of the estimate.
    pub error: f64,
    /// The half-width of its 95 % confidence interval, by Student's t; `None` when the model fits every observation
    /// exactly, which says nothing about their spread.
    pub margin: Option<f64>,
}

/// Residuals of less than this share of the sum of squares are rounding errors.
const NO_RESIDUAL: f64 = 1e-12;

/// The normal equations of the model y = Σ coefficient · x + noise, summed row by row.
///
/// ```
/// use bartizan_stats::LeastSquares;
///
/// // y = 2 + 3·x, with an alternating error of 1.
/// let mut fit = LeastSquares::new(2);
/// for i in 0..100 {
///     let (x, error) = (f64::from(i / 2), if i % 2 == 0 { 1.0 } else { -1.0 });
///     fit.add(&[1.0, x], 2.0 + 3.0 * x + error);
/// }
/// let coefficients = fit.solve().expect("the rows determine both coefficients");
/// assert!((coefficients[1].value - 3.0).abs() < coefficients[1].margin.unwrap());
/// ```
#[derive(Clone, Debug)]
pub struct LeastSquares {
    width: usize,
    rows: usize,
    /// XᵀX, in row-major order.
    products: Vec<f64>,
    /// Xᵀy.
    with_y: Vec<f64>,
    /// yᵀy.
    squares: f64,
}

impl LeastSquares {
    /// A model with `width` coefficients.
    pub fn new(width: usize) -> Self {
        Self { width, rows: 0, products: vec![0.0; width * width], with_y: vec![0.0; width], squares: 0.0 }
    }

    /// Adds an observation of `y` at `x`.
    ///
    /// # Panics
    /// If `x` does not have one number for each coefficient.
    pub fn add(&mut self, x: &[f64], y: f64) {
        assert_eq!(x.len(), self.width, "x must have one number for each coefficient");
        for (row, &a) in self.products.chunks_exact_mut(self.width.max(1)).zip(x) {
            for (sum, &b) in row.iter_mut().zip(x) {
                *sum += a * b;
            }
        }
        for (sum, &a) in self.with_y.iter_mut().zip(x) {
            *sum += a * y;
        }
        self.squares += y * y;
        self.rows += 1;
    }

    /// The coefficients; `None` if the observations do not determine them. Takes time in the cube of their number.
    pub fn solve(&self) -> Option<Vec<Coefficient>> {
        let n = self.width;
        if n == 0 || self.rows <= n {
            return None;
        }
        let inverse = invert(&self.products, n)?;
        let row = |i: usize| inverse.get(i * n..(i + 1) * n).into_iter().flatten();
        let values: Vec<f64> = (0..n).map(|i| row(i).zip(&self.with_y).map(|(a, b)| a * b).sum()).collect();
        let explained: f64 = values.iter().zip(&self.with_y).map(|(a, b)| a * b).sum();
        let (residual, degrees) = ((self.squares - explained).max(0.0), self.rows - n);
        let variance = residual / degrees as f64;
        let student = (residual > NO_RESIDUAL * self.squares).then(|| student_95(degrees));
        let coefficient = |(i, value): (usize, f64)| {
            let error = (inverse[i * n + i].max(0.0) * variance).sqrt();
            Coefficient { value, error, margin: student.map(|student| student * error) }
        };
        Some(values.into_iter().enumerate().map(coefficient).collect())
    }
}

/// The inverse of a square matrix, by Gauss-Jordan elimination with pivots; `None` if the matrix is singular.
fn invert(matrix: &[f64], n: usize) -> Option<Vec<f64>> {
    let mut left = matrix.to_vec();
    let mut right = vec![0.0; n * n];
    for i in 0..n {
        right[i * n + i] = 1.0;
    }
    let largest = left.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    for column in 0..n {
        let pivot = (column..n).max_by(|&a, &b| left[a * n + column].abs().total_cmp(&left[b * n + column].abs()))?;
        if left[pivot * n + column].abs() <= 1e-10 * largest {
            return None;
        }
        for k in 0..n {
            left.swap(column * n + k, pivot * n + k);
            right.swap(column * n + k, pivot * n + k);
        }
        let scale = left[column * n + column].recip();
        for k in 0..n {
            left[column * n + k] *= scale;
            right[column * n + k] *= scale;
        }
        for row in (0..n).filter(|&row| row != column) {
            let factor = left[row * n + column];
            for k in 0..n {
                left[row * n + k] -= factor * left[column * n + k];
                right[row * n + k] -= factor * right[column * n + k];
            }
        }
    }
    Some(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_without_noise() {
        let mut fit = LeastSquares::new(2);
        for (a, b) in [(1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (2.0, -1.0)] {
            fit.add(&[a, b], 3.0 * a - 0.5 * b);
        }
        let [a, b] = fit.solve().unwrap().try_into().unwrap();
        assert!((a.value - 3.0).abs() < 1e-12 && (b.value + 0.5).abs() < 1e-12);
        assert!(a.error < 1e-6 && b.error < 1e-6);
        assert_eq!((a.margin, b.margin), (None, None));
        let mut fit = LeastSquares::new(1);
        (0..3).for_each(|_| fit.add(&[1.0], 0.0));
        assert_eq!(fit.solve(), Some(vec![Coefficient { value: 0.0, error: 0.0, margin: None }]));
    }

    /// y = x + noise of ±1: the error of the mean of n values of ±1 is 1/√n.
    #[test]
    fn the_error_is_that_of_a_mean() {
        let mut fit = LeastSquares::new(1);
        for i in 0..100 {
            fit.add(&[1.0], if i % 2 == 0 { 2.0 } else { 0.0 });
        }
        let [only] = fit.solve().unwrap().try_into().unwrap();
        assert!((only.value - 1.0).abs() < 1e-12);
        assert!((only.error - (100.0_f64 / 99.0).sqrt() / 10.0).abs() < 1e-9);
        // scipy.stats.t.ppf(0.975, 99).
        assert!((only.margin.unwrap() / only.error - 1.984_216_951_564).abs() < 1e-8);
    }

    #[test]
    fn undetermined_coefficients_are_none() {
        let mut fit = LeastSquares::new(2);
        assert!(fit.solve().is_none());
        for i in 0..10 {
            fit.add(&[f64::from(i), 2.0 * f64::from(i)], 1.0);
        }
        assert!(fit.solve().is_none());
    }
}
